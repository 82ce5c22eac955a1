<?php
// The peer in PHP: parse_url, which its http streams use. The argument is the task: with
// "absolute", a text without a scheme is rejected.

function parse(string $text, string $task): array|bool
{
    $found = parse_url($text);
    if ($found === false) {
        return ["refuses" => "false"];
    }
    if ($task === "absolute" && !isset($found["scheme"])) {
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

function write(array|bool $value): void
{
    fwrite(STDOUT, json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
    fflush(STDOUT);
}

write(["version" => PHP_MAJOR_VERSION . "." . PHP_MINOR_VERSION . "." . PHP_RELEASE_VERSION]);
while (($line = fgets(STDIN)) !== false) {
    // A request is a JSON string, or an array of octets where those are not UTF-8.
    $request = json_decode($line);
    write(parse(is_array($request) ? pack("C*", ...$request) : (string) $request, $argv[1] ?? ""));
}
