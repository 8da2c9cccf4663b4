"""Page of one tool: its notes, hints, arguments and consent."""
