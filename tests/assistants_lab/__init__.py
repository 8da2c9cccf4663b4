"""Real assistants with a scripted model behind them: ``python3 packaging/dev.py assistants``."""
