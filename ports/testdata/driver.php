<?php

// Answers questions of the test, a line of JSON each, by the port: boxes, and texts with the field that they are for.

declare(strict_types=1);

require __DIR__ . '/../php/Boxrules.php';

$rules = Boxrules\Tables::load($argv[1]);
$special = ['NaN' => NAN, 'Infinity' => INF, '-Infinity' => -INF];
while (($line = fgets(STDIN)) !== false) {
    $q = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    try {
        if (isset($q['typed'])) {
            $answer = ['issues' => array_map(fn ($issue) => array_filter((array) $issue, fn ($x) => $x !== null), $rules->validate($q['article'], $q['material'], $q['typed'], $q['lang'])->issues)];
        } elseif (isset($q['text'])) {
            $answer = ['number' => $rules->parse($q['field'], $q['text'], $q['decimal'] ?? '.')];
        } else {
            $dims = array_map(fn ($field) => is_string($q[$field]) ? $special[$q[$field]] : $q[$field], Boxrules\FIELDS);
            $first = $rules->check($q['article'], $q['material'], ...$dims);
            $every = $rules->checkAll($q['article'], $q['material'], ...$dims);
            $answer = ['code' => $first === null ? '' : $first->code, 'codes' => array_map(fn ($v) => $v->code, $every)];
            $asked = isset($q['bounds']); // a case that has the right ones
            foreach ($asked ? $rules->validate($q['article'], $q['material'], array_combine(Boxrules\FIELDS, $dims))->issues : [] as $issue) {
                $answer['bounds'][] = array_filter(['field' => $issue->field, 'min' => $issue->min, 'max' => $issue->max], fn ($x) => $x !== null);
            }
        }
    } catch (Boxrules\InputError $error) {
        $answer = ['error' => ['field' => $error->field, 'message' => $error->getMessage()]];
    } catch (ValueError) {
        $answer = ['error' => ['field' => 'decimal']];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
