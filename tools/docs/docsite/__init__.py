"""The documentation as a site: hand-written pages, and reference pages made from the sources.

Links to files of this checkout lead to pages that show them. A link to nothing, a page that no
part of the navigation has, and whatever Zensical warns of end the build.
"""
