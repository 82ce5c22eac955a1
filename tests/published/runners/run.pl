# Runs uri-test-suite: perl run.pl FILE.json ...
# Change judge to ask your parser. This one uses the expression of RFC 3986, appendix B.
use strict;
use warnings;
use JSON::PP;

sub judge {
    my ($text) = @_;
    my ($scheme) = $text =~ m{\A(?:([^:/?#]+):)?(?://[^/?#]*)?[^?#]*(?:\?[^#]*)?(?:#.*)?\z}s;
    return defined $scheme;
}

for my $name (@ARGV) {
    open my $file, "<", $name or die "$name: $!\n";
    local $/;
    my $cases = decode_json(<$file>)->{cases};
    my $wrong = 0;
    for my $one (@$cases) {
        next if !!judge($one->{text}) == !!$one->{valid};
        $wrong++;
        print join("\t", $one->{id}, JSON::PP->new->ascii->allow_nonref->encode($one->{text}), $one->{tells} =~ s/[^ -~]/?/gr), "\n";
    }
    print "$name: $wrong of ", scalar(@$cases), " differ\n";
}
