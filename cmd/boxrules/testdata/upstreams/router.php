<?php
// Answers with the boxes that PHP reads in a request, in the header Reading. It routes as loosely as frameworks, file
// systems and databases do, each in its own way.
$path = $_SERVER['HTTP_X_ORIGINAL_URL'] ?? $_SERVER['HTTP_X_REWRITE_URL'] ?? $_SERVER['REQUEST_URI'];
$path = rawurldecode(explode('?', $path)[0]);
$path = strtolower(str_replace('\\', '/', explode("\0", $path)[0]));
$segments = [];
foreach (explode('/', $path) as $segment) {
    $segment = rtrim(explode(';', $segment)[0], '. ');
    if ($segment !== '') {
        $segments[] = preg_replace('/\.(json|php|html)$/', '', $segment);
    }
}
$resource = $segments ? end($segments) : '';
$readings = [];
parse_str(rawurldecode($_SERVER['QUERY_STRING'] ?? ''), $twice);
foreach ([$_GET, $_REQUEST, $_POST, $twice] as $source) {
    if ($resource === 'dieline') {
        $readings[] = $source;
    } elseif ($resource === 'quotation') {
        $items = $source['items'] ?? [];
        $items = is_array($items) ? $items : json_decode($items, true);
        array_push($readings, ...array_values(array_filter((array) $items, 'is_array')));
    }
}
$text = fn ($value) => is_array($value) ? null : strtolower(trim((string) $value));
$number = fn ($value) => is_numeric(is_array($value) ? reset($value) : $value) ? (float) (is_array($value) ? reset($value) : $value) : null;
$boxes = [];
foreach ($readings as $box) {
    $boxes[] = [
        'article' => $text($box['article'] ?? null), 'material' => $text($box['material'] ?? null),
        'width' => $number($box['width'] ?? null), 'depth' => $number($box['depth'] ?? null), 'height' => $number($box['height'] ?? null),
    ];
}
header('Reading: ' . base64_encode(json_encode($boxes, JSON_INVALID_UTF8_SUBSTITUTE)));
