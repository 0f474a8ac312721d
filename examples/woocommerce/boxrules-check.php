<?php
/**
 * Plugin Name: Box sizes that can be made
 * Description: Asks for the size of a box, says at the field what cannot be made, and keeps the size in the cart and the order.
 *
 * Put Boxrules.php (ports/php) and boxrules.json (boxrules generate json) next to this file. Choose the article and material
 * of a product in its data, under General. Sentences are in the language of the shop.
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

/**
 * The sentences in the language of the shop, with its decimal separator. If it is a comma, 48.5 is accepted too, but 1.234
 * is refused as ambiguous.
 */
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
    [$article, $material] = boxrules_kept($product_id);
    if ($article === '') {
        return $passed; // not a box
    }
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

/** The boxes that a product may be: article and material, by what the shop's owner reads. */
function boxrules_boxes(array $kept): array
{
    $boxes = ['–' => ['', '']];
    foreach (boxrules_tables()->articles() as $article) {
        foreach (boxrules_tables()->materials($article) as $material) {
            $boxes["$article — $material"] = [$article, $material];
        }
    }
    if (!in_array($kept, $boxes, true)) {
        $boxes["$kept[0] — $kept[1] (not in boxrules.json)"] = $kept; // so that saving the product does not switch the check off
    }
    return $boxes;
}

/** The article and the material of a product, or empty texts if it is not a box. */
function boxrules_kept($product_id): array
{
    $article = (string) get_post_meta($product_id, '_boxrules_article', true);
    return $article === '' ? ['', ''] : [$article, (string) get_post_meta($product_id, '_boxrules_material', true)];
}

/** Asks the shop's owner which box a product is. */
function boxrules_show_options()
{
    $kept = boxrules_kept(get_the_ID());
    try {
        $boxes = boxrules_boxes($kept);
    } catch (Throwable $error) {
        echo '<p class="form-field">', esc_html('The box cannot be edited: ' . $error->getMessage()), "</p>\n";
        return;
    }
    $names = array_keys($boxes);
    woocommerce_wp_select([
        'id' => '_boxrules_box',
        'label' => 'Box: article — material',
        'options' => array_combine($names, $names),
        'value' => array_search($kept, $boxes, true),
    ]);
}

/** Keeps what the shop's owner chose. For anything else, the product stays what it was. */
function boxrules_save_options($product_id)
{
    $name = wp_unslash($_POST['_boxrules_box'] ?? '');
    if (!is_string($name) || $name === '') {
        return;
    }
    [$article, $material] = boxrules_boxes(boxrules_kept($product_id))[$name] ?? boxrules_kept($product_id);
    update_post_meta($product_id, '_boxrules_article', wp_slash($article));
    update_post_meta($product_id, '_boxrules_material', wp_slash($material));
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
