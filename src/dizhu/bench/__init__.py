"""`dizhu bench`: how fast things go, beside RLCard and OpenSpiel where these are installed, all in the same run."""
