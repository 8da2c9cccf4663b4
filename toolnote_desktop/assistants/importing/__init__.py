"""Read servers and toolsets from other programs' configuration files."""
