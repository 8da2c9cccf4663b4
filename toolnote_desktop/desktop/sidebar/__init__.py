"""Sidebar: the library of sources, tools and toolsets."""
