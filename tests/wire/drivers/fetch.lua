-- Fetches each line of standard input by LuaSocket, and answers a line when it is done.
local http = require("socket.http")
local https = require("ssl.https")
http.TIMEOUT = 5
io.stdout:setvbuf("line")
print((require("socket")._VERSION:gsub("LuaSocket ", "")))
for line in io.lines() do
  local get = line:match("^https") and https.request or http.request
  local ok, found = pcall(get, line)
  print(ok and found and "done" or "refused")
end
