# Peers in Ruby: URI.parse, which net/http uses, and Addressable::URI.parse. Arguments: "URI" or
# "Addressable", and the task. With "absolute", a text without a scheme is rejected; with
# "destination", URI answers what net/http is given.

require "json"
require "uri"

def write(value)
  $stdout.puts(JSON.generate(value))
  $stdout.flush
end

name, TASK = ARGV
begin
  require "addressable/uri" if name == "Addressable"
rescue LoadError
  write({ version: nil })
  exit
end
LIBRARY = name == "Addressable" ? Addressable::URI : URI

def components(found)
  return false if TASK == "absolute" && !found.scheme
  path = found.path
  path = found.opaque if path.nil? && found.respond_to?(:opaque)
  { text: found.to_s, scheme: found.scheme, userinfo: found.userinfo, host: found.host,
    path: path, query: found.query, fragment: found.fragment }
end

def destination(found)
  answer = { scheme: found.scheme, host: found.hostname, port: found.hostname ? found.port : nil }
  target = found.request_uri if found.respond_to?(:request_uri)
  return { **answer, target: target } if target
  { **answer, path: found.path || found.opaque, query: found.query }
end

write({ version: name == "Addressable" ? Addressable::VERSION::STRING : RUBY_VERSION })
while (line = $stdin.gets)
  begin
    # A request is a JSON string, or an array of octets where those are not UTF-8.
    request = JSON.parse(line)
    request = request.pack("C*").force_encoding("UTF-8") if request.is_a?(Array)
    found = LIBRARY.parse(request)
    answer = TASK == "destination" ? destination(found) : components(found)
    JSON.generate(answer)
  rescue StandardError => error
    answer = { refuses: error.class.name }
  end
  write(answer)
end
