<?php
// The adapter of PHP: parse_url; with the argument "absolute" a text without a scheme is not
// accepted.

function judge(string $text, bool $absolute): array|bool
{
    $found = parse_url($text);
    if ($found === false || ($absolute && !isset($found["scheme"]))) {
        return false;
    }
    return [
        "scheme" => $found["scheme"] ?? null,
        "host" => $found["host"] ?? null,
        "port" => $found["port"] ?? null,
        "path" => $found["path"] ?? "",
        "query" => $found["query"] ?? null,
        "fragment" => $found["fragment"] ?? null,
    ];
}

function say(array|bool $value): void
{
    fwrite(STDOUT, json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    fflush(STDOUT);
}

say(["version" => PHP_MAJOR_VERSION . "." . PHP_MINOR_VERSION . "." . PHP_RELEASE_VERSION]);
while (($line = fgets(STDIN)) !== false) {
    say(judge((string) json_decode($line), ($argv[1] ?? "") === "absolute"));
}
