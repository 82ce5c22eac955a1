# The reader of Ruby: URI, with which net/http is given its host, port and target.

require "json"
require "uri"

def read(text)
  found = URI.parse(text)
  query = found.query ? "?#{found.query}" : ""
  target = found.respond_to?(:request_uri) ? found.request_uri : "#{found.path || found.opaque}#{query}"
  { scheme: found.scheme, host: found.hostname, port: found.hostname ? found.port : nil,
    target: target || found.opaque.to_s }
end

def say(value)
  $stdout.puts(JSON.generate(value))
  $stdout.flush
end

say({ version: RUBY_VERSION })
while (line = $stdin.gets)
  begin
    answer = read([line.strip].pack("H*").force_encoding("UTF-8"))
    JSON.generate(answer)
  rescue StandardError => error
    answer = { refuses: error.class.name }
  end
  say(answer)
end
