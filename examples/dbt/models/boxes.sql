-- The table of boxes that the generated SQL reads. After it is built, the hook loads the profiles and the view
-- box_verdicts again, because some databases drop a view together with its table. The generated SQL has its own
-- transaction, so it must run outside that of dbt.
{{ config(materialized='table', post_hook=after_commit(boxrules_sql())) }}

select id, article, material, width, depth, height
from {{ ref('shop_boxes') }}
