"""Patterns of otava-test-data and what Apache Otava finds in them, as JSON.

Run by a Python that has both packages, none of them Weir's. Words: how many draws, then lengths. A
draw of a pattern is 24 series with its change points, as the package marks them; Otava is asked of
the first one, and of the mean of all.
"""

import inspect
import json
import sys

import numpy as np
from otava.analysis import compute_change_points
from otava.series import AnalysisOptions
from otava_test_data import generators

PATTERNS = (
    *("constant", "noise_normal", "noise_uniform", "banding"),
    *("step_function", "regression_fix", "multiple_changes"),
    *("outlier", "variance_change", "phase_change"),
)
REPLICATES = 24
SIGMA = 5.0
"""Of values of 100 to 130, as in the package's tests."""


def found(values: "np.ndarray") -> list[int]:
    """Change points by Otava with its defaults."""
    options = AnalysisOptions()
    asked = options.window_len, options.max_pvalue, options.min_magnitude
    return [int(each.index) for each in compute_change_points(list(values), *asked)[0]]


def main() -> None:
    draws, *lengths = map(int, sys.argv[1:])
    series = []
    for pattern in PATTERNS:
        generate = getattr(generators, pattern)
        noise = {"sigma": SIGMA} if "sigma" in inspect.signature(generate).parameters else {}
        for length in lengths:
            for draw in range(draws):
                drawn = [
                    generate(length=length, seed=REPLICATES * draw + replicate, **noise)
                    for replicate in range(REPLICATES)
                ]
                values = np.array([each.data for each in drawn])
                marked = drawn[0].change_points
                series.append(
                    {
                        "pattern": pattern,
                        "values": values.tolist(),
                        "marked": [each.index for each in marked],
                        "otava_of_one": found(values[0]),
                        "otava_of_means": found(values.mean(axis=0)),
                    }
                )
    json.dump(series, sys.stdout)


main()
