%% Fetches each line of standard input by httpc, and answers a line when it is done.
-module(fetch).
-export([main/1]).

main(_) ->
    {ok, _} = application:ensure_all_started(ssl),
    {ok, _} = application:ensure_all_started(inets),
    ok = httpc:set_options([{ipfamily, inet6fb4}]),
    {ok, Version} = application:get_key(inets, vsn),
    io:format("~s~n", [Version]),
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            Url = string:trim(Line, trailing, "\n"),
            Options = [{timeout, 5000}, {autoredirect, false}, {ssl, [{verify, verify_none}]}],
            case catch httpc:request(get, {Url, []}, Options, []) of
                {ok, _} -> io:format("done~n");
                _ -> io:format("refused~n")
            end,
            loop()
    end.
