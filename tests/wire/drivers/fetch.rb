# Fetches each line of standard input by Net::HTTP, and answers a line when it is done.
require "net/http"
require "openssl"
$stdout.sync = true
puts RUBY_VERSION
STDIN.each_line(chomp: true) do |text|
  begin
    url = URI(text)
    Net::HTTP.start(url.hostname, url.port, use_ssl: url.scheme == "https", verify_mode: OpenSSL::SSL::VERIFY_NONE,
                    open_timeout: 5, read_timeout: 5) { |http| http.request(Net::HTTP::Get.new(url)) }
    puts "done"
  rescue StandardError => error
    puts error.class
  end
end
