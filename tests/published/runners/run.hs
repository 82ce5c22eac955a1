-- Runs uri-test-suite: runghc run.hs FILE.tsv ...
-- Change judge to ask your parser; network-uri's is `judge = isURI`. This one looks at the scheme.
import Control.Monad (forM_)
import Data.Char (chr, isAlpha, isAlphaNum, isAscii)
import Numeric (readHex)
import System.Environment (getArgs)

-- A text of the octets of UTF-8, as characters below 256.
judge :: String -> Bool
judge text = case break (== ':') text of
  (first : rest, ':' : _) -> letter first && all allowed rest
  _ -> False
 where
  letter c = isAscii c && isAlpha c
  allowed c = isAscii c && (isAlphaNum c || c `elem` "+-.")

octets :: String -> String
octets (a : b : rest) = chr (fst (head (readHex [a, b]))) : octets rest
octets _ = ""

fields :: String -> [String]
fields line = case break (== '\t') line of
  (field, '\t' : rest) -> field : fields rest
  (field, _) -> [field]

main :: IO ()
main = do
  names <- getArgs
  forM_ names $ \name -> do
    cases <- map fields . lines <$> readFile name
    let wrong = [one | one@[_, valid, text] <- cases, judge (octets text) /= (valid == "1")]
    forM_ wrong $ \one -> putStrLn (head one)
    putStrLn (name ++ ": " ++ show (length wrong) ++ " of " ++ show (length cases) ++ " differ")
