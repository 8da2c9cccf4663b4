"""InstallRecord Toolnote into an assistant's configuration file and remove it again."""
