<?php
/**
 * Plugin Name: Box sizes that can be made
 * Description: Refuses a product whose width, depth and height make no box, before it is in the cart.
 *
 * Put Boxrules.php (ports/php) and boxrules.json (boxrules generate json) next to this file. A product's fields
 * _boxrules_article and _boxrules_material say what it is; its form sends box_width, box_depth and box_height as typed.
 */

require_once __DIR__ . '/Boxrules.php';

add_filter('woocommerce_add_to_cart_validation', 'boxrules_check_product', 10, 2);

/** Returns false, with a notice for the visitor, where the product's box cannot be made. */
function boxrules_check_product($passed, $product_id)
{
    $article = (string) get_post_meta($product_id, '_boxrules_article', true);
    if ($article === '') {
        return $passed; // not a box
    }
    $material = (string) get_post_meta($product_id, '_boxrules_material', true);
    $rules = Boxrules\Tables::load(__DIR__ . '/boxrules.json');
    $decimal = wc_get_price_decimal_separator() === '.' ? '.' : ','; // with a comma 48.5 is read too, and 1.234 is refused
    try {
        $dims = [];
        foreach (Boxrules\FIELDS as $field) {
            $typed = $_POST["box_$field"] ?? '';
            $dims[] = $rules->parse($field, is_string($typed) ? trim(wp_unslash($typed)) : '', $decimal);
        }
        $found = $rules->check($article, $material, ...$dims);
    } catch (Boxrules\InputError $error) {
        wc_add_notice(esc_html($error->getMessage()), 'error');
        return false;
    }
    if ($found === null) {
        return $passed;
    }
    wc_add_notice(esc_html("$found->message ($found->code)"), 'error');
    return false;
}
