"""Dialog for connecting an assistant to Toolnote."""
