"""Beans and points: the ledger, what a hand is worth, who stands where. All of it works inside a transaction.

Whatever moves is one transfer of `ledger.book`, whose entries sum to zero. Bots have no account: the house stands
behind them, and wins and loses in their place without a limit.
"""
