-- Fetches each line of standard input by http-client, and answers a line when it is done.
import Control.Exception (SomeException, try)
import Network.Connection (TLSSettings (TLSSettingsSimple))
import Network.HTTP.Client
import Network.HTTP.Client.TLS (mkManagerSettings)
import System.IO
import System.Process (readProcess)

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  hSetEncoding stdin latin1
  manager <- newManager (mkManagerSettings (TLSSettingsSimple True False False) Nothing)
  readProcess "ghc-pkg" ["latest", "http-client"] "" >>= putStr . drop (length "http-client-")
  each manager

each :: Manager -> IO ()
each manager = do
  ended <- isEOF
  if ended then return () else do
    line <- getLine
    said <- try (parseRequest line >>= \request -> httpNoBody request manager) :: IO (Either SomeException (Response ()))
    putStrLn (either (const "error") (const "done") said)
    each manager
