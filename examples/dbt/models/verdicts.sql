-- The verdict of each box. A run judges only boxes that are new or have changed, and all of them when the rules or the
-- limits have changed. Boxes that are gone are removed.
{{ config(
    materialized='incremental',
    unique_key='id',
    post_hook='delete from {{ this }} where id not in (select id from {{ ref("boxes") }})'
) }}
-- depends_on: {{ ref('boxes') }}

with judged as (
    select b.*, {{ limits_hash() }} as limits_hash
    from {{ source('boxrules', 'box_verdicts') }} as b
)
select * from judged
{% if is_incremental() %}
where not exists (
    select 1
    from {{ this }} as t
    where t.id = judged.id
      and t.limits_hash = judged.limits_hash
      and t.article is not distinct from judged.article
      and t.material is not distinct from judged.material
      and t.width is not distinct from judged.width
      and t.depth is not distinct from judged.depth
      and t.height is not distinct from judged.height
)
{% endif %}
