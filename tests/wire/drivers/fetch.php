<?php // Fetches each line of standard input by one client for PHP, and answers a line when it is done.
$name = $argv[1];
$context = stream_context_create(["http" => ["timeout" => 5], "ssl" => ["verify_peer" => false, "verify_peer_name" => false]]);
echo PHP_VERSION, "\n";
while (($line = fgets(STDIN)) !== false) {
    $url = rtrim($line, "\n");
    if ($name === "streams") {
        echo @file_get_contents($url, false, $context) === false ? "refused\n" : "done\n";
    } else {
        $handle = curl_init($url);
        curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0, CURLOPT_TIMEOUT => 5]);
        echo curl_exec($handle) === false ? "refused\n" : "done\n";
    }
}
