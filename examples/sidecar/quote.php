<?php

// Asks for a dieline through the sidecar, and tells why there is none: php quote.php http://127.0.0.1:8080

$box = ['article' => 'tuck-end', 'material' => 'carton-300', 'width' => 48, 'depth' => 141, 'height' => 184];
$options = ['header' => 'Authorization: Bearer ' . getenv('TOKEN'), 'ignore_errors' => true, 'timeout' => 30];
$url = $argv[1] . '/v1/reseller/dieline?' . http_build_query($box);
$body = file_get_contents($url, false, stream_context_create(['http' => $options]));
if ($body === false) {
    fail("no answer from $argv[1]");
}
$answer = json_decode($body, true)['response'] ?? [];
if (isset($answer['code'])) {
    $found = $answer['errors'][0] ?? $answer; // BOX_ERROR and its like name the code in a list
    fail("$found[code]: $found[message]");
}
$pdf = isset($answer['buffer']) ? base64_decode($answer['buffer']) : $body;
if (!str_starts_with($pdf, '%PDF-')) {
    fail('no dieline came');
}
file_put_contents('dieline.pdf', $pdf);

function fail(string $why): never
{
    fwrite(STDERR, "$why\n");
    exit(1);
}
