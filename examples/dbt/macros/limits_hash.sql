{# The hash of the rules and limits that the view uses. boxrules writes it into every row of box_profiles. #}
{% macro limits_hash() %}
(select max(sha256) from {{ source('boxrules', 'box_profiles') }})
{%- endmacro %}
