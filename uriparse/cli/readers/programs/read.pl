# The reader of Perl: URI, with which LWP connects.

use strict;
use warnings;
use JSON::PP ();

my $json = JSON::PP->new->ascii->allow_nonref;
$| = 1;

sub say_it { print $json->encode($_[0]), "\n" }

if (!eval { require URI; 1 }) {
    say_it({ version => undef });
    exit;
}
say_it({ version => "$URI::VERSION" });
while (my $line = <STDIN>) {
    chomp $line;
    my $text = pack "H*", $line;
    utf8::decode($text);
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
    say_it($answer || { refuses => "died" });
}
