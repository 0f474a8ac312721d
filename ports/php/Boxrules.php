<?php

declare(strict_types=1);

namespace Boxrules;

const FIELDS = ['width', 'depth', 'height'];
const MAX_DIMENSION = 1000000; // in units

/** The error for an invalid field of a box: article, material, width, depth or height. */
final class InputError extends \InvalidArgumentException
{
    public function __construct(public readonly string $field, string $message)
    {
        parent::__construct("$field: $message");
    }
}

/** A rule that a box violates. Its stage is boundary, constraint or size. */
final class Violation
{
    public function __construct(
        public readonly string $code,
        public readonly string $stage,
        public readonly string $message,
    ) {
    }
}

/**
 * Checks boxes as boxrules does, with the tables that `boxrules generate json` writes:
 *
 *     $rules = Boxrules\Tables::load('boxrules.json');
 *     $found = $rules->check('tuck-end', 'carton-300', 48, 141, 184);
 *     if ($found !== null) { echo $found->code, ' ', $found->message; }
 *
 * Dimensions are numbers in the unit of the tables; parse reads what somebody typed. They are rounded to
 * thousandths. From then on, all numbers are whole and below 2^53, so verdicts are exact, even with 32-bit integers.
 * It needs PHP 8.1 or later and nothing else.
 */
final class Tables
{
    public readonly string $unit;
    public readonly int $decimals;

    public function __construct(private readonly array $tables)
    {
        if (($tables['boxrules'] ?? null) !== 1) {
            throw new \UnexpectedValueException('no tables of boxrules, version 1; accepted: what boxrules generate json writes');
        }
        $this->unit = $tables['unit'];
        $this->decimals = $tables['decimals'];
    }

    /** Reads the file that `boxrules generate json` wrote. */
    public static function load(string $path): self
    {
        $text = file_get_contents($path);
        if ($text === false) {
            throw new \RuntimeException("$path cannot be read");
        }
        return new self((array) json_decode($text, true, 512, JSON_THROW_ON_ERROR));
    }

    /** Returns the first rule that the box violates, in check order, or null for a valid box. */
    public function check(string $article, string $material, mixed $width, mixed $depth, mixed $height): ?Violation
    {
        foreach ($this->violations($article, $material, [$width, $depth, $height]) as $violation) {
            return $violation;
        }
        return null;
    }

    /** @return Violation[] every rule that the box violates, in check order */
    public function checkAll(string $article, string $material, mixed $width, mixed $depth, mixed $height): array
    {
        return iterator_to_array($this->violations($article, $material, [$width, $depth, $height]), false);
    }

    /** @return string[] the codes of the articles; strval, because PHP turns a key such as 123 into an integer */
    public function articles(): array
    {
        return array_map(strval(...), array_keys($this->tables['articles']));
    }

    /** @return string[] the codes of the materials of an article */
    public function materials(string $article): array
    {
        return array_map(strval(...), array_keys(self::entry('article', $article, $this->tables['articles'])['materials']));
    }

    /** Returns the number that somebody typed for a field, or throws InputError. */
    public function parse(string $field, mixed $text, string $decimal = '.'): float
    {
        $number = parse($text, $decimal);
        if ($number === null) {
            throw new InputError($field, describeValue($text) . " is not a number; accepted: one such as 48{$decimal}5");
        }
        $this->thousandths($field, $number);
        return $number;
    }

    private function violations(string $article, string $material, array $dims): \Generator
    {
        $entry = self::entry('article', $article, $this->tables['articles']);
        $conditions = self::entry('material', $material, $entry['materials']);
        $point = array_map($this->thousandths(...), FIELDS, $dims);
        foreach ($conditions as $number) {
            [$rule, $tree] = $this->tables['conditions'][$number];
            if ($this->holds($tree, $point, $entry['limits'], false)) {
                $rule = $this->tables['rules'][$rule];
                yield new Violation($rule['code'], $rule['stage'], $rule['message']);
            }
        }
    }

    /** Reports whether a condition holds. A list means "or", a list in it "and", and so on; $isAnd says which. */
    private function holds(int|array $tree, array $point, array $limits, bool $isAnd): bool
    {
        if (is_int($tree)) {
            return $this->isInside($tree, $point, $limits);
        }
        foreach ($tree as $part) {
            if ($this->holds($part, $point, $limits, !$isAnd) !== $isAnd) {
                return !$isAnd;
            }
        }
        return $isAnd;
    }

    /** Reports whether a point is in a half-space. The first six are below and above the article's limits. */
    private function isInside(int $half, array $point, array $limits): bool
    {
        if ($half < 6) {
            $axis = intdiv($half, 2);
            [$low, $high] = $limits[$axis];
            return $half % 2 ? $point[$axis] > $high : $point[$axis] < $low;
        }
        [$plane, $k] = $this->tables['halves'][$half - 6];
        [$width, $depth, $height] = $this->tables['planes'][$plane];
        return $width * $point[0] + $depth * $point[1] + $height * $point[2] > $k;
    }

    /** Rounds a dimension to thousandths: 48.0004 is 48000. */
    private function thousandths(string $field, mixed $x): float
    {
        if ((!is_int($x) && !is_float($x)) || !($x >= -MAX_DIMENSION && $x <= MAX_DIMENSION)) {
            throw new InputError($field, describeValue($x) . ' is not a number from -' . MAX_DIMENSION . ' to ' . MAX_DIMENSION);
        }
        $scale = 10 ** $this->decimals;
        if ($this->decimals < 3 && floor($x * $scale + 0.5) / $scale !== (float) $x) {
            throw new InputError($field, describeValue($x) . ' is not a multiple of ' . 1 / $scale);
        }
        return floor($x * 1000 + 0.5);
    }

    private static function entry(string $field, string $code, array $entries): array
    {
        return $entries[$code] ?? throw new InputError($field, describeValue($code) . ' is not one of ' . implode(', ', array_keys($entries)));
    }
}

/**
 * Returns a plain decimal such as 48.5 as a number, and null for anything else. With $decimal ',' it accepts 48,5, and
 * also 48.5, but not 1.234, which may mean 1234. Any other $decimal is a mistake of the program, and throws ValueError.
 */
function parse(mixed $text, string $decimal = '.'): ?float
{
    if ($decimal !== '.' && $decimal !== ',') {
        throw new \ValueError('decimal ' . describeValue($decimal) . " is not read; accepted: '.' and ','");
    }
    $plain = $decimal === '.' ? '/^-?[0-9]+(\.[0-9]+)?$/D' : '/^-?(?![1-9][0-9]{0,2}\.[0-9]{3}$)[0-9]+([.,][0-9]+)?$/D';
    if (!is_string($text) || strlen($text) > 64 || preg_match($plain, $text) !== 1) {
        return null;
    }
    return (float) str_replace(',', '.', $text);
}

/** Describes a value in a message. */
function describeValue(mixed $value): string
{
    if (is_float($value)) {
        return is_nan($value) ? 'NaN' : var_export($value, true);
    }
    return is_scalar($value) ? (string) json_encode($value, JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE) : get_debug_type($value);
}
