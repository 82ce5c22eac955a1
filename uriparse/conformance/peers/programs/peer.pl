# The peer in Perl: URI, with which LWP connects. It answers destinations alone.

use strict;
use warnings;
use JSON::PP ();

my $json = JSON::PP->new->ascii->allow_nonref;
$| = 1;

sub write_line { print $json->encode($_[0]), "\n" }

if (!eval { require URI; 1 }) {
    write_line({ version => undef });
    exit;
}
write_line({ version => "$URI::VERSION" });
while (my $line = <STDIN>) {
    # A request is a JSON string, or an array of octets where those are not UTF-8.
    my $text = $json->decode($line);
    $text = pack "C*", @$text if ref $text;
    my $answer = eval {
        my $found = URI->new($text);
        my $server = $found->can("host");
        my $host = $server ? $found->host : undef;
        {
            scheme => $found->scheme,
            host   => $host,
            port   => defined $host && length $host ? $found->port : undef,
            path   => $found->can("path") ? $found->path : $found->opaque,
            query  => $found->can("query") ? $found->query : undef,
        };
    };
    write_line($answer || { refuses => "died" });
}
