{# The hash of the rules and limits by which the view judges, which boxrules writes into every row of box_profiles. #}
{% macro limits_hash() %}
(select max(sha256) from {{ source('boxrules', 'box_profiles') }})
{%- endmacro %}
