# The peer in Perl: URI, with which LWP connects. The argument is the task: "destination", or an
# operation, such as "resolution", for the texts of a case, with spaces between them.

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
my %operations = (
    resolution     => sub { { text => URI->new_abs($_[1], $_[0])->as_string } },
    normalization  => sub { { text => URI->new($_[0])->canonical->as_string } },
    equivalence    => sub { URI::eq($_[0], $_[1]) ? JSON::PP::true : JSON::PP::false },
    relativization => sub { { text => URI->new($_[1])->rel($_[0])->as_string } },
);
my $operation = $operations{ $ARGV[0] // "" };
write_line({ version => "$URI::VERSION" });
while (my $line = <STDIN>) {
    # A request is a JSON string, or an array of octets where those are not UTF-8.
    my $text = $json->decode($line);
    $text = pack "C*", @$text if ref $text;
    my $answer = eval {
        return $operation->(split / /, $text, -1) if $operation;
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
