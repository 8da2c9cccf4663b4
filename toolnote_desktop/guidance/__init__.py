"""What an assistant reads: descriptions, instructions, the tool guide and dialect limits."""
