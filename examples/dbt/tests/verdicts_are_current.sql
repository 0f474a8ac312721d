-- Lists the boxes whose stored verdict differs from the current verdict of the view.
select v.id, v.verdict, t.verdict as stored
from {{ source('boxrules', 'box_verdicts') }} as v
full join {{ ref('verdicts') }} as t on t.id = v.id
where v.verdict is distinct from t.verdict
