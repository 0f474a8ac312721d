<?php
/**
 * Plugin Name: Box sizes that can be made
 * Description: Asks for the width, depth and height of a box, and says at the field what cannot be made.
 *
 * Put Boxrules.php (ports/php) and boxrules.json (boxrules generate json) next to this file. A product's fields
 * _boxrules_article and _boxrules_material say what it is. Sentences are in the language of the shop.
 */

require_once __DIR__ . '/Boxrules.php';

add_action('woocommerce_before_add_to_cart_button', 'boxrules_show_fields');
add_filter('woocommerce_add_to_cart_validation', 'boxrules_check_product', 10, 2);

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

/** Shows a field for each dimension, with what was typed and the sentence about it. */
function boxrules_show_fields()
{
    if (get_post_meta(get_the_ID(), '_boxrules_article', true) === '') {
        return;
    }
    $texts = boxrules_texts();
    $unit = boxrules_tables()->unit;
    foreach (boxrules_typed() as $field => $typed) {
        $messages = [];
        foreach ($GLOBALS['boxrules_issues'] ?? [] as $issue) {
            if ($issue->field === $field) {
                $messages[] = $issue->message;
            }
        }
        printf(
            '<p class="form-row"><label for="box_%1$s">%2$s (%3$s)</label> <input id="box_%1$s" name="box_%1$s" inputmode="decimal" value="%4$s"'
                . ' aria-invalid="%5$s" aria-describedby="box_%1$s_message"> <span id="box_%1$s_message" class="woocommerce-error-text">%6$s</span></p>' . "\n",
            $field,
            esc_html(ucfirst($texts[$field])),
            esc_html($unit),
            esc_attr($typed),
            $messages === [] ? 'false' : 'true',
            esc_html(implode(' ', $messages)),
        );
    }
}
