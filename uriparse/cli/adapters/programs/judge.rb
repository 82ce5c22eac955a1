# The adapters of Ruby: URI.parse and Addressable::URI.parse; with the argument "absolute" a text
# without a scheme is not accepted.

require "json"
require "uri"

def say(value)
  $stdout.puts(JSON.generate(value))
  $stdout.flush
end

name, kind = ARGV
begin
  require "addressable/uri" if name == "Addressable"
rescue LoadError
  say({ version: nil })
  exit
end
LIBRARY = name == "Addressable" ? Addressable::URI : URI
ABSOLUTE = kind == "absolute"

def judge(text)
  found = LIBRARY.parse(text)
  return false if ABSOLUTE && !found.scheme
  path = found.path
  path = found.opaque if path.nil? && found.respond_to?(:opaque)
  { text: found.to_s, scheme: found.scheme, userinfo: found.userinfo, host: found.host,
    path: path, query: found.query, fragment: found.fragment }
end

say({ version: name == "Addressable" ? Addressable::VERSION::STRING : RUBY_VERSION })
while (line = $stdin.gets)
  begin
    answer = judge(JSON.parse(line))
    JSON.generate(answer)
  rescue StandardError
    answer = false
  end
  say(answer)
end
