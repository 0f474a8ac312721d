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
 * What is wrong with a field of a form: article, material, width, depth or height. The message is a sentence for the
 * customer, and the kind is the name of that sentence. The code is that of the violated rule, if there is one. min is the
 * nearest value above the typed one that makes the box valid, and max the nearest value below it.
 */
final class Issue
{
    public function __construct(
        public readonly string $field,
        public readonly string $kind,
        public readonly ?string $code,
        public readonly string $message,
        public readonly ?float $min,
        public readonly ?float $max,
    ) {
    }
}

/** The result of validate: issues and, if there are none, the dimensions as numbers by field. */
final class Result
{
    /** @param Issue[] $issues */
    public function __construct(public readonly ?array $dims, public readonly array $issues)
    {
    }
}

/**
 * Checks boxes as boxrules does, with the tables that `boxrules generate json` writes:
 *
 *     $rules = Boxrules\Tables::load('boxrules.json');
 *     $found = $rules->check('tuck-end', 'carton-300', 48, 141, 184);
 *     if ($found !== null) { echo $found->code, ' ', $found->message; }
 *
 * For a form, validate reads what a customer typed, and says which field is wrong and why, in the customer's language:
 *
 *     $result = $rules->validate('tuck-end', 'carton-300', ['width' => '48', 'depth' => '141', 'height' => ''], 'de');
 *     foreach ($result->issues as $issue) { echo $issue->field, ' ', $issue->message; } // height Geben Sie eine Höhe ein.
 *
 * Dimensions are numbers in the unit of the tables; parse reads what somebody typed. Dimensions are rounded to
 * thousandths. After that, all numbers are whole and below 2^53, so verdicts are exact, even with 32-bit integers.
 * The class needs PHP 8.1 or later and nothing else.
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
        $text = @file_get_contents($path); // without the warning, which a page might show
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

    /** @return string[] the codes of the articles, as strings, although PHP turns a key such as 123 into an integer */
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
        $number = parse($text, $decimal) ?? $this->fraction($text);
        if ($text === null || $text === '') {
            throw new InputError($field, "missing; enter a $field");
        }
        if ($number === null) {
            throw new InputError($field, describeValue($text) . " is not a number; accepted: one such as 48{$decimal}5");
        }
        $this->thousandths($field, $number);
        return $number;
    }

    /** @return array<string, string> the sentences in a language, or in English; you can add sentences of your own to them */
    public function texts(string $language): array
    {
        return $this->tables['texts'][Words::language($language)] ?? $this->tables['texts']['en'];
    }

    /**
     * Checks what a customer typed for width, depth and height: texts or numbers. There is an issue for each field that is
     * missing or invalid. If there is none, there is an issue for each rule that the box violates in the stage of the first
     * violation. $texts is a language such as 'de', or sentences of your own: ['BOX_3102' => '…'] + $rules->texts('de'). A
     * sentence whose name is a code replaces the usual one for that rule.
     */
    public function validate(mixed $article, mixed $material, array $typed, string|array $texts = 'en'): Result
    {
        $words = new Words((is_array($texts) ? $texts : $this->texts($texts)) + $this->texts('en'), $this->unit);
        $issues = [];
        $numbers = [];
        $entry = is_string($article) ? $this->tables['articles'][$article] ?? null : null;
        if ($entry === null) {
            $issues[] = $words->issue('article', 'choice');
        } elseif (!is_string($material) || !isset($entry['materials'][$material])) {
            $issues[] = $words->issue('material', 'choice');
        }
        foreach (FIELDS as $field) {
            $read = $this->read($field, $typed[$field] ?? null, $words);
            if ($read instanceof Issue) {
                $issues[] = $read;
            } else {
                $numbers[$field] = $read;
            }
        }
        if ($issues !== []) {
            return new Result(null, $issues);
        }
        $line = new Line($this->tables, $entry, $material, array_map(fn ($x) => floor($x * 1000 + 0.5), array_values($numbers)));
        foreach ($line->violated() as [$rule, $tree]) {
            $stage ??= $rule['stage'];
            if ($rule['stage'] === $stage) {
                $issues[] = $line->issue($rule, $tree, $numbers, $words);
            }
        }
        return new Result($issues === [] ? $numbers : null, $issues);
    }

    /** Returns the number that was typed for a field, or an issue if it is not a dimension. */
    private function read(string $field, mixed $given, Words $words): float|Issue
    {
        if ($given === null || $given === '') {
            return $words->issue($field, 'required');
        }
        $number = is_int($given) || is_float($given) ? (float) $given : parse($given, $words->decimal) ?? $this->fraction($given);
        if ($number === null || is_nan($number)) {
            if (is_string($given) && preg_match('/^-?[1-9][0-9]{0,2}[.,][0-9]{3}$/D', $given) === 1) {
                $params = ['text' => $given, 'whole' => (float) strtr($given, ['.' => '', ',' => '']), 'fraction' => (float) strtr($given, ',', '.')];
                return $words->issue($field, 'unclear', null, $params);
            }
            $example = $this->unit === 'in' && $this->decimals === 3 ? '12 3/8' : ($this->decimals > 0 ? 48.5 : 50.0);
            return $words->issue($field, 'number', null, ['example' => $example]);
        }
        if (!($number >= -MAX_DIMENSION && $number <= MAX_DIMENSION)) {
            return $words->issue($field, 'range', null, ['value' => $number, 'min' => (float) -MAX_DIMENSION, 'max' => (float) MAX_DIMENSION]);
        }
        if (!hasValidDecimals($number, $this->decimals)) {
            return $words->issue($field, 'decimals', null, ['value' => $number, 'decimals' => (float) $this->decimals]);
        }
        return $number;
    }

    /** Returns the number that a fraction such as 12 3/8 means in inches. Returns null for any other text or unit. */
    private function fraction(mixed $text): ?float
    {
        if ($this->unit !== 'in' || !is_string($text) || preg_match('~^(-?)([0-9]{1,7}) ([0-9]{1,2})/(2|4|8|16|32|64)$~D', $text, $parts) !== 1) {
            return null;
        }
        [, $sign, $whole, $part, $of] = $parts;
        return (int) $part < (int) $of ? ($sign === '-' ? -1 : 1) * ($whole + $part / $of) : null;
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

    /** Reports whether a condition holds. A list means "or", a list inside it "and", and so on; $isAnd says which. */
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

    /** Reports whether a point is in a half-space. The first six half-spaces are beyond the article's limits. */
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
        if ($x === null || $x === '') {
            throw new InputError($field, "missing; enter a $field");
        }
        if ((!is_int($x) && !is_float($x)) || !($x >= -MAX_DIMENSION && $x <= MAX_DIMENSION)) {
            throw new InputError($field, describeValue($x) . ' is not a number from -' . MAX_DIMENSION . ' to ' . MAX_DIMENSION);
        }
        if (!hasValidDecimals((float) $x, $this->decimals)) {
            throw new InputError($field, describeValue($x) . ' is not a multiple of ' . 1 / 10 ** $this->decimals);
        }
        return floor($x * 1000 + 0.5);
    }

    private static function entry(string $field, string $code, array $entries): array
    {
        return $entries[$code] ?? throw new InputError($field, describeValue($code) . ' is not one of ' . implode(', ', array_keys($entries)));
    }
}

/**
 * Returns a plain decimal such as 48.5 as a number, and null for any other text. With $decimal ',' it accepts 48,5, and
 * also 48.5, but not 1.234, which may mean 1234. For any other $decimal it throws a ValueError.
 */
function parse(mixed $text, string $decimal = '.'): ?float
{
    if ($decimal !== '.' && $decimal !== ',') {
        throw new \ValueError(describeValue($decimal) . " is not a decimal separator; accepted: '.' and ','");
    }
    $plain = $decimal === '.' ? '/^-?[0-9]+(\.[0-9]+)?$/D' : '/^-?(?![1-9][0-9]{0,2}\.[0-9]{3}$)[0-9]+([.,][0-9]+)?$/D';
    if (!is_string($text) || strlen($text) > 64 || preg_match($plain, $text) !== 1) {
        return null;
    }
    return (float) str_replace(',', '.', $text);
}

/** Reports whether a dimension may have as many decimals as x. If three are allowed, more are rounded. */
function hasValidDecimals(float $x, int $decimals): bool
{
    return $decimals === 3 || floor($x * 10 ** $decimals + 0.5) / 10 ** $decimals === $x;
}

/** The sentences of a language, and its notation of numbers. */
final class Words
{
    public readonly string $decimal;

    public function __construct(private readonly array $texts, private readonly string $unit)
    {
        $this->decimal = $texts['decimal'];
    }

    /** Returns the issue for a field and, if a rule is violated, for that rule. */
    public function issue(string $field, string $kind, ?array $rule = null, array $params = []): Issue
    {
        $text = $this->texts[$kind === 'choice' ? $field . 'Choice' : $kind] ?? $kind;
        if ($rule !== null) {
            $text = $this->texts[$rule['code']] ?? $this->ruleMessage($rule) ?? $text;
        }
        $params += ['field' => $field, 'unit' => $this->unit];
        $parts = preg_split('/{(\w+)}/', $text, -1, PREG_SPLIT_DELIM_CAPTURE);
        $message = $parts[0];
        for ($i = 1; $i < count($parts); $i += 2) {
            $value = isset($params[$parts[$i]]) ? $this->text($params[$parts[$i]]) : '';
            // A sentence begins with a capital letter. ucfirst changes only the letters a to z.
            $message .= ($i === 1 && $parts[0] === '' ? ucfirst($value) : $value) . $parts[$i + 1];
        }
        return new Issue($field, $kind, $rule['code'] ?? null, $message, $params['min'] ?? null, $params['max'] ?? null);
    }

    /** Returns the language of a language tag: de for de_AT. */
    public static function language(string $tag): string
    {
        return strtolower(preg_split('/[-_]/', $tag)[0]);
    }

    /** Returns the message of a user-defined rule. A documented rule has none, because its sentence also names the bound. */
    private function ruleMessage(array $rule): ?string
    {
        if (!($rule['own'] ?? false)) {
            return null;
        }
        return $rule['messages'][self::language($this->texts['lang'])] ?? $rule['message'];
    }

    private function text(string|float $param): string
    {
        if (is_string($param)) {
            return $this->texts[$param] ?? $param;
        }
        if (!(abs($param) < 1e15)) {
            return (string) $param;
        }
        $text = rtrim(rtrim(number_format(floor($param * 1000 + 0.5) / 1000, 3, '.', ''), '0'), '.');
        return strtr($text, '.', $this->decimal);
    }
}

/** Finds the values of one dimension for which a box is valid if the other two dimensions stay the same. */
final class Line
{
    private readonly array $rules; // pairs of a rule and its condition, in check order
    private readonly array $limits;
    private readonly array $constants;
    private readonly int $step;

    public function __construct(private readonly array $tables, private readonly array $entry, string $material, private readonly array $point)
    {
        $pair = fn (int $number): array => [$tables['rules'][$tables['conditions'][$number][0]], $tables['conditions'][$number][1]];
        $this->rules = array_map($pair, $entry['materials'][$material]);
        $this->limits = $entry['limits'];
        $this->step = intdiv(1000, 10 ** $tables['decimals']);
        $constants = $tables['materials'][$material];
        foreach (FIELDS as $axis => $field) {
            [$constants["min_$field"], $constants["max_$field"]] = [$entry['limits'][$axis][0] / 1000, $entry['limits'][$axis][1] / 1000];
        }
        $this->constants = ($entry['constants'] ?? []) + $constants;
    }

    /** @return array[] the violated rules, with their conditions */
    public function violated(): array
    {
        return array_filter($this->rules, fn ($rule) => $this->holds($rule[1], $this->point));
    }

    /** Returns the issue for a violated rule. It names the dimension to blame and its nearest valid values. */
    public function issue(array $rule, int|array $tree, array $numbers, Words $words): Issue
    {
        $axes = [];
        foreach ($this->reasons($tree) as $half) {
            array_push($axes, ...$this->half($half)[3]);
        }
        $firstFixable = function (array $rules) use ($axes): ?int {
            foreach ($axes as $axis) {
                if ($this->ranges($rules, $axis) !== []) {
                    return $axis;
                }
            }
            return null;
        };
        // Blame the first dimension whose change makes the box valid, or else the first whose change satisfies this rule.
        $only = [[$rule, $tree]];
        $sufficient = $firstFixable($this->rules);
        $axis = $sufficient ?? $firstFixable($only) ?? $axes[0] ?? 0;
        // If the rule is about one dimension only, propose its bound, even if other rules reject every value.
        $alone = $sufficient === null && array_diff($axes, [$axis]) === [];
        $field = FIELDS[$axis];
        $bounds = [];
        foreach ($this->ranges($alone ? $only : $this->rules, $axis) as [$low, $lowest, $highest]) {
            if ($lowest === null && $highest === null) { // every value of this range is borderline
                continue;
            }
            if ($low / 1000 > $numbers[$field]) {
                $bounds['min'] ??= ($lowest ?? $highest) / 1000;
            } else {
                $bounds['max'] = ($highest ?? $lowest) / 1000;
            }
        }
        $kind = ['together', 'atLeast', 'atMost', 'either'][(isset($bounds['min']) ? 1 : 0) + (isset($bounds['max']) ? 2 : 0)];
        return $words->issue($field, $kind, $rule, $bounds + ['value' => $numbers[$field]]);
    }

    /** Returns a half-space a·p > k with its edge, and the axes to blame. */
    private function half(int $number): array
    {
        if ($number < 6) { // beyond a limit of the article
            [$low, $high] = $this->limits[intdiv($number, 2)];
            [$plane, $k, $outside] = [$number, $number % 2 ? $high : -$low, 0];
        } else {
            [$plane, $k, $outside] = $this->tables['halves'][$number - 6] + [2 => 0];
        }
        [$w, $d, $h, $axes] = $this->tables['planes'][$plane];
        return [[$w, $d, $h], $k, $outside, $axes];
    }

    /** Reports whether a condition holds at a point or, with $withEdge, may hold in floating point. */
    private function holds(int|array $tree, array $point, bool $isAnd = false, bool $withEdge = false): bool
    {
        if (is_int($tree)) {
            [$a, $k, $outside] = $this->half($tree);
            return dot($a, $point) > ($withEdge ? $k - $outside : $k);
        }
        foreach ($tree as $part) {
            if ($this->holds($part, $point, !$isAnd, $withEdge) !== $isAnd) {
                return !$isAnd;
            }
        }
        return $isAnd;
    }

    /** @return int[] the half-spaces that make a condition hold at the point; of an "or", those of the first part that holds */
    private function reasons(int|array $tree, bool $isAnd = false): array
    {
        if (is_int($tree)) {
            return [$tree];
        }
        $found = [];
        foreach ($tree as $part) {
            if ($isAnd || $this->holds($part, $this->point, true)) {
                array_push($found, ...$this->reasons($part, !$isAnd));
                if (!$isAnd) {
                    break;
                }
            }
        }
        return $found;
    }

    /** Returns the point with another coordinate along the axis. */
    private function at(int $axis, float $x): array
    {
        return array_replace($this->point, [$axis => $x]);
    }

    /** @return array[] the first and the last coordinate of each piece of the line in which all boxes are valid */
    private function validPieces(array $rules, int $axis, bool $withEdge = false): array
    {
        $limit = MAX_DIMENSION * 1000.0;
        // Validity can change only at coordinates at which a half-space begins or ends.
        $starts = [-$limit];
        foreach ($rules as [, $tree]) {
            $leaves = [$tree];
            array_walk_recursive($leaves, function (int $number) use (&$starts, $axis, $withEdge, $limit): void {
                [$a, $k, $outside] = $this->half($number);
                if ($a[$axis] === 0) {
                    return;
                }
                $rest = ($withEdge ? $k - $outside : $k) - dot($a, $this->at($axis, 0));
                $crossing = $a[$axis] > 0 ? floor($rest / $a[$axis]) + 1 : -floor($rest / -$a[$axis]);
                $start = ceil($crossing / $this->step) * $this->step;
                if ($start > -$limit && $start <= $limit) {
                    $starts[] = $start;
                }
            });
        }
        sort($starts);
        $pieces = [];
        $first = null;
        foreach ($starts as $start) {
            $point = $this->at($axis, $start);
            $isValid = true;
            foreach ($rules as [, $tree]) {
                $isValid = $isValid && !$this->holds($tree, $point, false, $withEdge);
            }
            if ($isValid) {
                $first ??= $start;
            } elseif ($first !== null) {
                $pieces[] = [$first, $start - $this->step];
                $first = null;
            }
        }
        if ($first !== null) {
            $pieces[] = [$first, $limit];
        }
        return $pieces;
    }

    /** @return array[] the ranges within the limits: where each begins, and the values to propose for its ends */
    private function ranges(array $rules, int $axis): array
    {
        $ranges = [];
        foreach ($this->validPieces($rules, $axis) as [$low, $high]) {
            $low = max($low, (float) $this->limits[$axis][0]);
            $high = min($high, (float) $this->limits[$axis][1]);
            if ($low <= $high) {
                $ranges[] = [$low, $this->safe($rules, $axis, [$low, $high], 0), $this->safe($rules, $axis, [$low, $high], 1)];
            }
        }
        return $ranges;
    }

    /** Returns the value to propose for an end of a range, 0 or 1: one that is not borderline, or null if there is none. */
    private function safe(array $rules, int $axis, array $range, int $end): ?float
    {
        foreach ([$range[$end], $range[$end] + ($end ? -$this->step : $this->step)] as $x) {
            if ($x >= $range[0] && $x <= $range[1] && !$this->failsInFloat($rules, $this->at($axis, $x))) {
                return $x;
            }
        }
        // Look for a value that is on no edge at all.
        $inside = null;
        foreach ($this->validPieces($rules, $axis, true) as [$low, $high]) {
            if ($low <= $range[1] && $high >= $range[0]) {
                $inside = $end ? min($high, $range[1]) : $inside ?? max($low, $range[0]);
            }
        }
        return $inside;
    }

    /** Reports whether a box violates a rule if the conditions are computed in floating point, as they are written. */
    private function failsInFloat(array $rules, array $point): bool
    {
        $values = array_combine(FIELDS, array_map(fn ($x) => $x / 1000, $point)) + $this->constants;
        if (isset($this->entry['blank'])) {
            [$values['blank_width'], $values['blank_height']] = array_map(fn ($side) => compute($side, $values, null), $this->entry['blank']);
        }
        foreach ($rules as [$rule]) {
            if (compute($rule['asWritten'], $values, $rule['ratio'] ?? null, $rule['numbers'] ?? [])) {
                return true;
            }
        }
        return false;
    }
}

function dot(array $a, array $point): float
{
    return (float) ($a[0] * $point[0] + $a[1] * $point[1] + $a[2] * $point[2]);
}

/**
 * Computes a condition or a formula in floating point. A tree is a number, a variable, or an operator and its operands.
 * The ratio converts lengths to the unit of the rule: 12 in become 304.8 mm. It is null if no conversion is needed. The
 * variables whose names are in the numbers are not lengths, so they are not converted.
 */
function compute(int|float|string|array $tree, array $values, ?array $ratio, array $numbers = []): float|bool
{
    if (is_string($tree)) {
        $x = (float) $values[$tree];
        if ($ratio === null || in_array($tree, $numbers, true)) {
            return $x;
        }
        $whole = floor($x * 1000 + 0.5);
        return ($whole / 1000 === $x ? $whole : $x * 1000) * $ratio[0] / (1000 * $ratio[1]); // only the division rounds
    }
    if (!is_array($tree)) {
        return (float) $tree;
    }
    $operator = array_shift($tree);
    if ($operator === '&&' || $operator === '||') {
        $left = compute($tree[0], $values, $ratio, $numbers);
        return $left === ($operator === '||') ? $left : compute($tree[1], $values, $ratio, $numbers);
    }
    $operands = array_map(fn ($part) => compute($part, $values, $ratio, $numbers), $tree);
    [$a, $b] = $operands + [1 => null];
    if ($b === null) {
        return match ($operator) {
            '!' => !$a,
            '-' => -$a,
            default => $a,
        };
    }
    return match ($operator) {
        '+' => $a + $b,
        '-' => $a - $b,
        '*' => $a * $b,
        '/' => $a / $b,
        '<' => $a < $b,
        '<=' => $a <= $b,
        '>' => $a > $b,
        '>=' => $a >= $b,
        '==' => $a === $b,
        '!=' => $a !== $b,
        'min' => min(...$operands),
        'max' => max(...$operands),
    };
}

/** Describes a value in a message. */
function describeValue(mixed $value): string
{
    if (is_float($value)) {
        return is_nan($value) ? 'NaN' : var_export($value, true);
    }
    return is_scalar($value) ? (string) json_encode($value, JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE) : get_debug_type($value);
}
