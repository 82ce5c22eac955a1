# Runs uri-test-suite: ruby run.rb FILE.json ...
# Change judge to ask your parser. This one asks URI.
require "json"
require "uri"

def judge(text)
  URI.parse(text).absolute? ? true : false
rescue URI::Error
  false
end

ARGV.each do |name|
  cases = JSON.parse(File.read(name, encoding: "utf-8"))["cases"]
  wrong = cases.reject { |one| judge(one["text"]) == one["valid"] }
  wrong.each { |one| puts [one["id"], one["text"].dump, one["tells"]].join("\t") }
  puts "#{name}: #{wrong.size} of #{cases.size} differ"
end
