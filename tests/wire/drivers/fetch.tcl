# Fetches each line of standard input by Tcl's http, and answers a line when it is done.
package require http
package require tls
http::register https 443 [list ::tls::socket -autoservername true -require 0]
fconfigure stdout -buffering line
puts [package present http]
while {[gets stdin line] >= 0} {
    if {[catch {set token [http::geturl $line -timeout 5000]; http::cleanup $token}]} {
        puts refused
    } else {
        puts done
    }
}
