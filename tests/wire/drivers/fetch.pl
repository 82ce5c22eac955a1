# Fetches each line of standard input by one client for Perl, and answers a line when it is done.
use strict;
use warnings;
$| = 1;
my ($name) = @ARGV;
my $get;
if ($name eq "LWP") {
    require LWP::UserAgent;
    my $agent = LWP::UserAgent->new(timeout => 5, env_proxy => 1, ssl_opts => { verify_hostname => 0, SSL_verify_mode => 0 });
    $get = sub { $agent->get($_[0])->status_line };
    print "$LWP::UserAgent::VERSION\n";
} else {
    require HTTP::Tiny;
    my $agent = HTTP::Tiny->new(timeout => 5, verify_SSL => 0);
    $get = sub { $agent->get($_[0])->{status} };
    print "$HTTP::Tiny::VERSION\n";
}
while (my $url = <STDIN>) {
    chomp $url;
    my $said = eval { $get->($url) } // "error";
    $said =~ s/\s+/ /g;
    print "$said\n";
}
