-- The verdict on each box, with what it depends on. A run checks only boxes that are new, boxes whose article, material or
-- dimensions have changed, or all boxes if the rules or the limits have changed. Boxes that no longer exist are removed. Join
-- this table with boxes by id to see other columns, because it does not follow them.
{{ config(
    materialized='incremental',
    unique_key='id',
    post_hook='delete from {{ this }} where id not in (select id from {{ ref("boxes") }})'
) }}
-- depends_on: {{ ref('boxes') }}

with checked as (
    select id, article, material, width, depth, height, verdict, {{ limits_hash() }} as limits_hash
    from {{ source('boxrules', 'box_verdicts') }}
)
select * from checked
{% if is_incremental() %}
where not exists (
    select 1
    from {{ this }} as t
    where t.id = checked.id
      and t.limits_hash = checked.limits_hash
      and t.article is not distinct from checked.article
      and t.material is not distinct from checked.material
      and t.width is not distinct from checked.width
      and t.depth is not distinct from checked.depth
      and t.height is not distinct from checked.height
)
{% endif %}
