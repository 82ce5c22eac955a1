# The reader of Ruby: URI, with which net/http is given its host, port and target.

require "json"
require "uri"

def read(text)
  found = URI.parse(text)
  answer = { scheme: found.scheme, host: found.hostname, port: found.hostname ? found.port : nil }
  target = found.request_uri if found.respond_to?(:request_uri)
  return { **answer, target: target } if target
  { **answer, path: found.path || found.opaque, query: found.query }
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
