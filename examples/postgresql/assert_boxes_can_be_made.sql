-- A singular test of dbt: put it into tests/, with {{ ref('box_verdicts') }} for the view. It fails where it returns a row.
SELECT * FROM boxrules_example.box_verdicts WHERE verdict <> 'valid';
