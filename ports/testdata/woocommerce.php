<?php

// Stands in for WordPress and WooCommerce: runs the filter of examples/woocommerce in the folder given, for each line of
// JSON with a product's article and material and what its form sent, and prints whether it passes and what was said.

$filters = $notices = $meta = [];
function add_filter($name, $function, $priority, $arguments)
{
    global $filters;
    $filters[$name] = [$function, $arguments];
}
function add_action($name, $function, $priority = 10, $arguments = 1)
{
}
function get_locale()
{
    return 'de_DE';
}
function get_the_ID()
{
    return 7;
}
function esc_attr($text)
{
    return htmlspecialchars($text, ENT_QUOTES);
}
function get_post_meta($product, $key, $single)
{
    global $meta;
    return $meta[$key] ?? '';
}
function wc_add_notice($text, $kind, $data)
{
    global $notices;
    $notices[] = "$kind at {$data['id']}: $text";
}
function wc_get_price_decimal_separator()
{
    global $separator;
    return $separator;
}
function wp_unslash($text)
{
    return is_array($text) ? array_map(wp_unslash(...), $text) : stripslashes($text);
}
function esc_html($text)
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function wp_slash($text)
{
    return addslashes($text);
}
function update_post_meta($product, $key, $value)
{
    global $meta;
    $meta[$key] = wp_unslash($value);
}
function woocommerce_wp_select($field)
{
    global $select;
    $select = $field;
}

/** An item of an order. */
final class Item
{
    public array $meta = [];
    public function add_meta_data($key, $value)
    {
        $this->meta[] = "$key: $value";
    }
}

require $argv[1] . '/boxrules-check.php';

// Without tables, the form says so.
rename("$argv[1]/boxrules.json", "$argv[1]/away.json");
ob_start();
@boxrules_show_options();
$shown = ob_get_clean();
assert(str_contains($shown, 'boxrules.json cannot be read'));
rename("$argv[1]/away.json", "$argv[1]/boxrules.json");

while (($line = fgets(STDIN)) !== false) {
    $notices = [];
    $boxrules_issues = [];
    ['meta' => $meta, 'post' => $_POST, 'separator' => $separator] = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    // The owner of the shop edits the product, which stays what it is, also if the form offers something else by mistake.
    boxrules_show_options();
    $kept = $meta;
    assert(isset($select['options'][$select['value']]));
    foreach ([$select['value'], 'no such box', ['not a text'], ''] as $name) {
        $sent = $_POST;
        $_POST['_boxrules_box'] = $name;
        boxrules_save_options(7);
        $_POST = $sent;
        assert(array_filter($meta) === $kept);
    }
    $box = $select['value'];
    foreach ($select['options'] as $name) {
        $_POST['_boxrules_box'] = $name;
        boxrules_save_options(7);
        ['_boxrules_article' => $article, '_boxrules_material' => $material] = $meta;
        $isOffered = $article === '' || in_array($material, boxrules_tables()->materials($article), true);
        assert($isOffered || ($name === $box && str_ends_with($name, ' (not in boxrules.json)')));
    }
    $_POST = $sent;
    $meta = $kept;
    [$function, $arguments] = $filters['woocommerce_add_to_cart_validation'];
    $passed = $function(...array_slice([true, 7, 1], 0, $arguments));
    ob_start();
    boxrules_show_fields();
    // The sentence that the page has at each field.
    preg_match_all('/<span id="box_(\w+)_message"[^>]*>([^<]+)</', ob_get_clean(), $found);
    $answer = ['passed' => $passed, 'notices' => $notices, 'fields' => (object) array_combine($found[1], $found[2])];
    if ($passed) {
        $item = new Item();
        boxrules_save_size($item, 'key', boxrules_keep_size(['color' => 'white'], 7));
        $answer['order'] = $item->meta;
    }
    echo json_encode($answer, JSON_UNESCAPED_UNICODE), "\n";
}
