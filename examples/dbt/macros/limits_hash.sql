{# A hash of box_profiles, which has the limits and which rules apply. A condition may change without it, so after a
   change of your own rules run dbt build --full-refresh. #}
{% macro limits_hash() %}
(
    select md5(string_agg(cast(p as varchar), chr(10) order by p.article, p.material))
    from {{ source('boxrules', 'box_profiles') }} as p
)
{%- endmacro %}
