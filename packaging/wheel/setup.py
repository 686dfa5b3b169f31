"""The rest is in pyproject.toml. The compiled part was built by CMake: it makes the wheel one for a platform."""

import os

from setuptools import Distribution, setup


class WithCompiledPart(Distribution):
    def has_ext_modules(self):
        return True


setup(version=os.environ["RONDO_VERSION"], distclass=WithCompiledPart)
