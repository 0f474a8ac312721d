<?php
/**
 * Plugin Name: Box sizes that can be made
 * Description: Asks for the size of a box, says at the field what cannot be made, and keeps the size in the cart and the order.
 *
 * Put Boxrules.php (ports/php) and boxrules.json (boxrules generate json) next to this file. Say in the product data, under
 * General, which article and material a product is. Sentences are in the language of the shop.
 */

require_once __DIR__ . '/Boxrules.php';

// The product data that the shop's owner edits.
add_action('woocommerce_product_options_general_product_data', 'boxrules_show_options');
add_action('woocommerce_process_product_meta', 'boxrules_save_options');
// The page of the product.
add_action('woocommerce_before_add_to_cart_button', 'boxrules_show_fields');
add_filter('woocommerce_add_to_cart_validation', 'boxrules_check_product', 10, 2);
// The cart and the order.
add_filter('woocommerce_add_cart_item_data', 'boxrules_keep_size', 10, 2);
add_filter('woocommerce_get_item_data', 'boxrules_show_size', 10, 2);
add_action('woocommerce_checkout_create_order_line_item', 'boxrules_save_size', 10, 3);

function boxrules_tables(): Boxrules\Tables
{
    static $tables;
    return $tables ??= Boxrules\Tables::load(__DIR__ . '/boxrules.json');
}

/** The sentences in the language of the shop, with its decimal separator: with a comma 48.5 is read too, and 1.234 is refused. */
function boxrules_texts(): array
{
    $decimal = wc_get_price_decimal_separator() === '.' ? '.' : ',';
    return ['decimal' => $decimal] + boxrules_tables()->texts(get_locale());
}

/** The unit in the language of the shop: in is Zoll. */
function boxrules_unit(): string
{
    $unit = boxrules_tables()->unit;
    return boxrules_texts()[$unit] ?? $unit;
}

/** What the customer typed, by field. */
function boxrules_typed(): array
{
    $typed = [];
    foreach (Boxrules\FIELDS as $field) {
        $text = $_POST["box_$field"] ?? '';
        $typed[$field] = is_string($text) ? trim(wp_unslash($text)) : '';
    }
    return $typed;
}

/** Returns false, with a notice for each field, if the product's box cannot be made. */
function boxrules_check_product($passed, $product_id)
{
    $article = (string) get_post_meta($product_id, '_boxrules_article', true);
    if ($article === '') {
        return $passed; // not a box
    }
    $material = (string) get_post_meta($product_id, '_boxrules_material', true);
    $issues = boxrules_tables()->validate($article, $material, boxrules_typed(), boxrules_texts())->issues;
    $GLOBALS['boxrules_issues'] = $issues; // WooCommerce shows the product again in the same request
    foreach ($issues as $issue) {
        wc_add_notice(esc_html($issue->message), 'error', ['id' => "box_$issue->field"]);
    }
    return $issues === [] ? $passed : false;
}

/** What is kept of a product in the cart: also the size of its box. */
function boxrules_keep_size($data, $product_id)
{
    if (get_post_meta($product_id, '_boxrules_article', true) !== '') {
        $data['boxrules'] = boxrules_typed(); // which has been checked
    }
    return $data;
}

/** The size for the page of the cart, as in "Länge: 48,5 mm". */
function boxrules_show_size($rows, $cart_item)
{
    $texts = boxrules_texts();
    foreach ($cart_item['boxrules'] ?? [] as $field => $typed) {
        $rows[] = ['key' => ucfirst($texts[$field]), 'value' => $typed . ' ' . boxrules_unit()];
    }
    return $rows;
}

/** The size for the order, which the shop sees. */
function boxrules_save_size($item, $cart_item_key, $cart_item)
{
    foreach (boxrules_show_size([], $cart_item) as $row) {
        $item->add_meta_data($row['key'], $row['value']);
    }
}

/** The codes that a product may have, by the name of its field. */
function boxrules_codes(): array
{
    $tables = boxrules_tables();
    $articles = $tables->articles();
    return ['article' => $articles, 'material' => array_values(array_unique(array_merge(...array_map($tables->materials(...), $articles))))];
}

/** Asks the shop's owner which box a product is. */
function boxrules_show_options()
{
    foreach (boxrules_codes() as $name => $codes) {
        woocommerce_wp_select([
            'id' => "_boxrules_$name",
            'label' => "Box: $name",
            'options' => ['' => '–'] + array_combine($codes, $codes),
        ]);
    }
}

function boxrules_save_options($product_id)
{
    foreach (boxrules_codes() as $name => $codes) {
        $code = wp_unslash($_POST["_boxrules_$name"] ?? '');
        update_post_meta($product_id, "_boxrules_$name", in_array($code, $codes, true) ? wp_slash($code) : '');
    }
}

/** Shows a field for each dimension, with what was typed and the sentence about it. */
function boxrules_show_fields()
{
    if (get_post_meta(get_the_ID(), '_boxrules_article', true) === '') {
        return;
    }
    $texts = boxrules_texts();
    // A phone's keypad for decimals has neither the space nor the slash of 12 3/8.
    $inputmode = boxrules_tables()->unit === 'in' ? 'text' : 'decimal';
    foreach (boxrules_typed() as $field => $typed) {
        $messages = [];
        foreach ($GLOBALS['boxrules_issues'] ?? [] as $issue) {
            if ($issue->field === $field) {
                $messages[] = $issue->message;
            }
        }
        $invalid = $messages !== [];
        printf(
            '<p class="form-row %1$s"><label for="box_%2$s">%3$s (%4$s)</label>'
                . ' <input class="input-text" id="box_%2$s" name="box_%2$s" inputmode="%5$s" value="%6$s" aria-invalid="%7$s" aria-describedby="box_%2$s_message">'
                . ' <span id="box_%2$s_message" style="display: block; color: #a00">%8$s</span></p>' . "\n",
            $invalid ? 'woocommerce-invalid' : '',
            $field,
            esc_html(ucfirst($texts[$field])),
            esc_html(boxrules_unit()),
            $inputmode,
            esc_attr($typed),
            $invalid ? 'true' : 'false',
            esc_html(implode(' ', $messages)),
        );
    }
}
