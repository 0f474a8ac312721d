<?php

// Asks for a dieline through the sidecar, and tells why there is none: php quote.php http://127.0.0.1:8080

$box = ['article' => 'tuck-end', 'material' => 'carton-300', 'width' => 48, 'depth' => 141, 'height' => 184];
$options = ['header' => 'Authorization: Bearer ' . getenv('TOKEN'), 'ignore_errors' => true, 'timeout' => 30];
$url = $argv[1] . '/v1/reseller/dieline?' . http_build_query($box);
$body = file_get_contents($url, false, stream_context_create(['http' => $options]));
if ($body === false) {
    exit("no answer from $argv[1]\n");
}
$refusal = json_decode($body, true)['response'] ?? null;
if (isset($refusal['code'])) {
    $found = $refusal['errors'][0] ?? $refusal; // BOX_ERROR and its like name the code in a list
    exit("$found[code]: $found[message]\n");
}
file_put_contents('dieline.pdf', $body);
