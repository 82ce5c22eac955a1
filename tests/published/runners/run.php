<?php
// Runs uri-test-suite: php run.php FILE.json ...
// Change judge to ask your parser. This one asks parse_url.
function judge(string $text): bool
{
    $found = parse_url($text);
    return is_array($found) && isset($found["scheme"]);
}

foreach (array_slice($argv, 1) as $name) {
    $cases = json_decode(file_get_contents($name), true, 512, JSON_THROW_ON_ERROR)["cases"];
    $wrong = 0;
    foreach ($cases as $one) {
        if (judge($one["text"]) !== $one["valid"]) {
            $wrong++;
            echo $one["id"], "\t", json_encode($one["text"]), "\t", $one["tells"], "\n";
        }
    }
    echo "$name: $wrong of ", count($cases), " differ\n";
}
