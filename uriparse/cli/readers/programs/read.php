<?php
// The reader of PHP: parse_url, with which its http streams read theirs.

function read_url(string $text): array
{
    $found = parse_url($text);
    if ($found === false) {
        return ["refuses" => "false"];
    }
    return [
        "scheme" => $found["scheme"] ?? null,
        "host" => $found["host"] ?? null,
        "port" => $found["port"] ?? null,
        "path" => $found["path"] ?? "",
        "query" => $found["query"] ?? null,
    ];
}

function say(array $value): void
{
    fwrite(STDOUT, json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    fflush(STDOUT);
}

say(["version" => PHP_MAJOR_VERSION . "." . PHP_MINOR_VERSION . "." . PHP_RELEASE_VERSION]);
while (($line = fgets(STDIN)) !== false) {
    say(read_url((string) hex2bin(trim($line))));
}
