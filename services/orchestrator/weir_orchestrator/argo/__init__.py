"""The argo executor: campaigns become Argo workflows, whose pods are workers for a batch of runs.

    demand      what campaigns have to be carried out, from the database
    sizing      how many pods with how many runs each that is (pure)
    workflow    workflows as they are created, and read (pure)
    trouble     what went wrong with a workflow, and what to do about it (pure)
    stalled     which workflows' pods run and do nothing
    cluster     the Kubernetes API
    watched     the workflows that there are, kept up to date by a watch
    presence    the dispatcher among the workers
    dispatcher  puts these together, again and again

Which run ends how is decided by the pods' leases and the database, as with any worker.
"""
