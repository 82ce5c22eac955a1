# Peers in Ruby: URI.parse, which net/http uses, and Addressable::URI.parse. Arguments: "URI" or
# "Addressable", and the task. With "absolute", a text without a scheme is rejected; with
# "destination", URI answers what net/http is given; with an operation, such as "resolution", its
# result for the texts of a case, with spaces between them.

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

OPERATIONS = {
  "resolution" => ->(base, reference) { { text: LIBRARY.join(base, reference).to_s } },
  "normalization" => ->(text) { { text: LIBRARY.parse(text).normalize.to_s } },
  "equivalence" => ->(one, other) { LIBRARY.parse(one) == LIBRARY.parse(other) },
  "relativization" => ->(base, target) { { text: LIBRARY.parse(target).route_from(base).to_s } },
}

write({ version: name == "Addressable" ? Addressable::VERSION::STRING : RUBY_VERSION })
while (line = $stdin.gets)
  begin
    # A request is a JSON string, or an array of octets where those are not UTF-8.
    request = JSON.parse(line)
    request = request.pack("C*").force_encoding("UTF-8") if request.is_a?(Array)
    if OPERATIONS.key?(TASK)
      answer = OPERATIONS[TASK].call(*request.split(" ", -1))
    else
      found = LIBRARY.parse(request)
      answer = TASK == "destination" ? destination(found) : components(found)
    end
    JSON.generate(answer)
  rescue StandardError => error
    answer = { refuses: error.class.name }
  end
  write(answer)
end
